/** What a service that implements nothing may do nevertheless: a requirement that this alone meets says so and why. */
export const NULL_TRAITS = [
  'answers every request',
  'accepts reads',
  'accepts writes',
  'reads the scheme in any letter case',
  'answers lists with 200',
  'answers with 201',
  'creates calls',
  'sends JSON',
  'labels its answers as JSON',
  'denies no success',
  'rejects with the envelope',
  'rejects with 400',
  'rejects HEAD',
  'demands a bearer',
  'sends a challenge',
  'knows the credential',
] as const;

/** One of these. */
export type NullTrait = (typeof NULL_TRAITS)[number];
