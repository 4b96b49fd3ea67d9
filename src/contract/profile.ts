/** Which operations are asked and how: reading only, or everything (conformance model, section 6). */
export type Profile = 'read-only' | 'full';
