/** The settings of a run as the rest of the program sees them: complete, checked and fixed; derived from the table. */

import type { Profile } from '../contract/profile.ts';
import type { Kind } from './kinds.ts';
import type { Setting } from './setting.ts';
import type {
  CALL,
  CONNECTION,
  CREDENTIALS,
  FACTS,
  FIXTURES,
  INBOUND,
  LIMITS,
  OUTPUT,
  QUERIES,
  RESOURCES,
  SCOPE,
  VALUES,
} from './table.ts';

type ValueOf<Row extends Setting> = Row['kind'] extends Kind<infer Value> ? Value : never;
type Sure = { readonly kind: { readonly default: unknown } } | { readonly required: true };

/** The values of some settings by key; one without a default may be absent. */
export type ValuesOf<Rows extends readonly Setting[]> = {
  readonly [Row in Rows[number] as Row extends Sure ? Row['key'] : never]: ValueOf<Row>;
} & { readonly [Row in Rows[number] as Row extends Sure ? never : Row['key']]?: ValueOf<Row> };

/** What is judged: a service at an address (no final slash), or the reference service that the command starts. */
export type Target = { readonly kind: 'url'; readonly baseUrl: string } | { readonly kind: 'reference' };

/** What belongs to the target. */
export interface TargetSettings extends ValuesOf<typeof VALUES> {
  readonly target: Target;
  /** `access` is empty only for the reference service that has not been started yet. */
  readonly credentials: ValuesOf<typeof CREDENTIALS>;
  readonly call: ValuesOf<typeof CALL>;
  readonly resources: ValuesOf<typeof RESOURCES>;
  readonly inbound: ValuesOf<typeof INBOUND>;
  readonly queries: ValuesOf<typeof QUERIES>;
}

/** Everything that a run is told. Times are milliseconds; names of operations and requirements are not checked yet. */
export interface Settings
  extends TargetSettings,
    ValuesOf<typeof SCOPE>,
    ValuesOf<typeof LIMITS>,
    ValuesOf<typeof CONNECTION>,
    ValuesOf<typeof FIXTURES>,
    ValuesOf<typeof FACTS>,
    ValuesOf<typeof OUTPUT> {
  readonly profile: Profile;
  readonly maxRequests: number;
  /** The file of settings that --settings names, unless it is `.env`. */
  readonly settingsFile?: string;
  /** Address of the proxy in between; may hold a password. */
  readonly proxy?: string;
  /** Sentences for standard error: variables that were probably misspelt. */
  readonly warnings: readonly string[];
}
