/** The package has no types of its own: the schemas of HAR 1.2 by name. */
declare module 'har-schema' {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  export default schemas;
}
