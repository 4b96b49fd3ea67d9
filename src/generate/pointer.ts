/**
 * Places in a schema's values, written as JSON Pointers (RFC 6901) in which `-` stands for any item of an array and
 * `*` for any value of a map: `/codecs/-`, `/variables/*`. The whole body is the empty pointer.
 */

/** One step down: to a named member, to the values of a map, or to the items of an array. */
export type Step =
  | { readonly to: 'member'; readonly name: string }
  | { readonly to: 'value' }
  | { readonly to: 'item' };

/** The pointer of a member of the object at `parent`. */
export function memberPointer(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The pointer of any value of the map at `parent`. */
export function valuePointer(parent: string): string {
  return `${parent}/*`;
}

/** The pointer of any item of the array at `parent`. */
export function itemPointer(parent: string): string {
  return `${parent}/-`;
}

/** The pointer that some steps from the whole body lead to. */
export function pointerOf(steps: readonly Step[]): string {
  return steps.reduce((pointer, step) => {
    if (step.to === 'member') return memberPointer(pointer, step.name);
    return step.to === 'value' ? valuePointer(pointer) : itemPointer(pointer);
  }, '');
}

/** Whether a pointer is one of these or lies below one of them. */
export function isWithin(pointer: string, ancestors: readonly string[]): boolean {
  return ancestors.some((ancestor) => pointer === ancestor || pointer.startsWith(`${ancestor}/`));
}

/** The last member name of a pointer, unescaped. */
export function lastName(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
