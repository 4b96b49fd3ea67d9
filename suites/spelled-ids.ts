/** Other spellings of the ids in a path, as tables. */

import { foundOperation } from '../src/client/request.ts';
import { type OperationId, operationById, otherSlashForm } from '../src/contract/operations.ts';
import { UUID } from '../src/contract/uuid.ts';

/** An id, as a segment of a path, in another spelling. */
export type Spelling = (id: string) => string;

/** UUIDs alone are compared without regard to case (RFC 9562). */
const otherCase: Spelling = (id) => {
  if (!UUID.test(id)) return id;
  return id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
};
const encoded: Spelling = (id) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;

/** A spelling, and the name of a path with it. */
export interface NamedSpelling {
  readonly about: string;
  readonly of: Spelling;
}

/** A spelling that may combine others: one valid request with all of them shows that each is read. */
export interface Spelled extends NamedSpelling {
  readonly parts: readonly NamedSpelling[];
}

/** Spellings of the ids in a path. */
export const ID_SPELLINGS: readonly Spelled[] = [
  {
    about: 'with the id in the other letter case and an encoded character',
    of: (id) => encoded(otherCase(id)),
    parts: [
      { about: 'with the id in the other letter case', of: otherCase },
      { about: 'with an encoded character in the id', of: encoded },
    ],
  },
  { about: 'with two slashes around the id', of: (id) => `/${id}/`, parts: [] },
];

/** The parts of a spelling, each alone. */
export const aloneOf = (spelled: Spelled): readonly NamedSpelling[] =>
  spelled.parts.length === 0 ? [spelled] : spelled.parts;

/** The path with each of its ids in that spelling; unchanged if an id cannot be spelled in that way. */
export function spelledPath(id: OperationId, path: string, of: Spelling): string {
  const ids = foundOperation(operationById(id).method, path)?.ids ?? [];
  if (!ids.every((id) => /^[\w-]+$/.test(id))) return path;
  const segments = path.split('/').map((segment) => (ids.includes(segment) ? of(segment) : segment));
  return segments.join('/').replace(/\/$/, '');
}

/** The paths under which an open call is tried, by their names in `openAliases`. */
export const CALL_ALIASES: Readonly<Record<string, (id: OperationId, path: string) => string>> = {
  'other slash form': (_, path) => otherSlashForm(path),
  ...Object.fromEntries(
    ID_SPELLINGS.map(({ about, of }) => [about, (id: OperationId, path: string) => spelledPath(id, path, of)]),
  ),
};
