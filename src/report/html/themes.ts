/** The rows of the matrix under headings, as the catalogue groups them. */

import { ACCESS } from '../../contract/requirements/access.ts';
import { ANSWERS } from '../../contract/requirements/answers.ts';
import { BODIES } from '../../contract/requirements/bodies.ts';
import { SUCCESS } from '../../contract/requirements/success.ts';
import type { RequirementResult } from '../../verdict/results.ts';

const MUSTS = [
  { title: 'Valid requests', ids: SUCCESS.map(({ id }) => id) },
  { title: 'Credentials and organizations', ids: ACCESS.map(({ id }) => id) },
  { title: 'Request bodies', ids: BODIES.map(({ id }) => id) },
  { title: 'Every answer', ids: ANSWERS.map(({ id }) => id) },
] as const satisfies readonly { readonly title: string; readonly ids: readonly string[] }[];

/** Requirements of a run that belong together. */
export interface Theme {
  readonly title: string;
  readonly level: 'must' | 'should';
  readonly requirements: readonly RequirementResult[];
}

/** The requirements of a run by theme; recommendations come after everything that binds. */
export function themesOf(requirements: readonly RequirementResult[]): readonly Theme[] {
  const musts = requirements.filter(({ level }) => level === 'must');
  const known = MUSTS.map(({ title, ids }) => ({
    title,
    level: 'must' as const,
    requirements: musts.filter(({ id }) => (ids as readonly string[]).includes(id)),
  }));
  const placed = new Set(known.flatMap((theme) => theme.requirements.map(({ id }) => id)));
  const others = musts.filter(({ id }) => !placed.has(id));
  const shoulds = requirements.filter(({ level }) => level === 'should');
  const themes: readonly Theme[] = [
    ...known,
    { title: 'Others', level: 'must', requirements: others },
    { title: 'Recommended', level: 'should', requirements: shoulds },
  ];
  return themes.filter((theme) => theme.requirements.length > 0);
}
