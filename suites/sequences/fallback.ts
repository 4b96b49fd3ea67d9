/** Invalid credentials on an open call, if an ended one could not distinguish them from the valid one (section 5). */

import { Skipped } from '../../src/client/request.ts';
import type { Ask, CredentialForm } from '../../src/exchange/exchange.ts';
import { ask, type RequestBuilder } from '../../src/run/builder.ts';
import { type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { AUTH_ALIAS, otherForm } from '../aliases.ts';
import { AUTHENTICATION } from '../authentication.ts';
import { baseOf } from '../bodies.ts';
import { credentialWays, readAgain } from './credentials.ts';

/** Requests for one form of credential on an open call. */
const RESERVE = 3;

type Action = 'hangUpCall' | 'answerCall';

/** Forms that got what the valid credential got on the ended call. */
function undecided({ state }: Session, id: Action): readonly CredentialForm[] {
  const seen = state.statuses.get(id);
  if (seen === undefined) return [];
  return [...seen.invalid].filter(([, status]) => seen.valid.includes(status)).map(([form]) => form);
}

/** The call of this phase: it stays open until both actions were tried on it. */
async function openCall(session: Session): Promise<string> {
  const open = session.openCall();
  if (open !== null) return open;
  const json = baseOf(session, 'createCall');
  const created = await session.send(session.builder.control('createCall', { json }));
  const call = session.openCall();
  if (created.accepted && call !== null) return call;
  throw new Skipped('no call could be placed for testing invalid credentials');
}

/** Without a credential at the other slash form, if the ended call showed nothing there either. */
async function tryAlias(session: Session, id: Action, path: string): Promise<void> {
  const about = 'the other slash form of the path of an open call, without a credential';
  const variation = { path: otherForm(path), credential: 'none', asks: [ask(AUTH_ALIAS, 'none')], about } as const;
  await session.send(session.builder.request(id, variation));
}

/**
 * Hang up and answer are first tried on a call that has ended. If the target answers 404 both to an invalid credential
 * and to an ended call, this shows nothing, so the same is tried on an open call, which the valid credential then ends.
 */
function onOpenCall(id: Action, last: (session: Session, path: string) => Promise<unknown>): Sequence {
  const mayAsk: readonly Ask[] = AUTHENTICATION.map((requirement) => ask(requirement));
  const run = async (session: Session): Promise<void> => {
    const { builder, state } = session;
    const forms = undecided(session, id);
    const isAliasOpen = state.openAliases.has(id);
    if (forms.length === 0 && !isAliasOpen) return;
    const path = builder.path(id, [await openCall(session)]);
    for (const { form, asks, about } of credentialWays(builder, id)) {
      if (forms.includes(form)) await session.send(builder.request(id, { path, credential: form, asks, about }));
    }
    if (isAliasOpen) await tryAlias(session, id, path);
    await last(session, path);
    await readAgain(session, 'the valid credential after the invalid ones');
  };
  return sequence(id, 'credentials on an open call', [], run, {
    lane: 'fallback',
    phase: 'fallback',
    reserve: RESERVE,
    mayAsk,
  });
}

/** Sequences for what the ended call could not decide. */
export function onOpenCalls({ options }: RequestBuilder): readonly Sequence[] {
  if (options.profile !== 'full') return [];
  const about = 'the valid credential after the invalid ones';
  return [
    onOpenCall('answerCall', (session, path) => session.send(session.builder.control('answerCall', { path }))),
    onOpenCall('hangUpCall', (session) => session.hangUp({ control: true, role: 'control', about })),
  ];
}
