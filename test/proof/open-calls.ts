/** The calls that a service says are open, beside those that a run names: equal, call by call (conformance model, section 7). */

import type { Reference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { isRetryableStatus, isSuccess } from '../../src/contract/waiting.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { RunRecord } from '../../src/verdict/record.ts';

const isCreate = (method: string, path: string): boolean => method === 'POST' && /^\/v1\/calls\/?(?:\?|$)/.test(path);

/** Whether a create call without an id may be named although it placed no call: nothing, or nothing clear, came back. */
function isDoubtful(exchange: Exchange | undefined): boolean {
  const { response = null } = exchange ?? {};
  return response === null || response.status < 400 || response.status >= 500 || isRetryableStatus(response.status);
}

/** Credentials that place calls. */
const KNOWN: ReadonlySet<string> = new Set(['valid', 'other-organization']);

/** Watches which calls each create call places, and compares what is left of them with what the run names. */
export function watchingCalls({ inspect }: Pick<Reference, 'inspect'>) {
  const placed: (readonly string[])[] = [];
  const ids = (): readonly string[] => inspect().calls.map(({ id }) => id);
  const watch = (service: Service): Service => {
    return async (request) => {
      if (!isCreate(request.method, request.target)) return service(request);
      const at = placed.push([]) - 1;
      const before = new Set(ids());
      const reply = await service(request);
      placed[at] = ids().filter((id) => !before.has(id));
      return reply;
    };
  };
  /**
   * What is amiss: calls that are open and not named, and sentences on calls that have ended. A run believes what a target says,
   * and nothing else. So an open call may go unnamed where its hang-up got a 2xx or the `word` of the service for ended calls.
   * An ended one may be named where its hang-ups got neither, or where no hang-up of the run was accepted, which alone shows the
   * word, or each one behind an accepted one got a 5xx. Where the word is 404, and a call that was hung up before got another 4xx, 404 says nothing. `isEnding`: it ends by itself.
   */
  const amiss = (
    { exchanges, possiblyOpen }: Pick<RunRecord, 'exchanges' | 'possiblyOpen'>,
    word = 409,
    isEnding: (id: string) => boolean = () => false,
  ): readonly string[] => {
    const calls = inspect().calls.filter((call) => call.direction === 'outbound' || call.status !== 'ringing');
    const open = calls.filter(({ id, status }) => status !== 'ended' && !isEnding(id));
    const creates = exchanges.filter(({ request }) => isCreate(request.method, request.path));
    const hangUps = exchanges.filter(
      ({ request: { path, credential } }) => path.includes('/hangup') && KNOWN.has(credential),
    );
    const isAccepted = ({ response }: Exchange): boolean => isSuccess(response?.status ?? null);
    const isTold = (id: string, words: readonly number[]): boolean => {
      const { credential } = creates[placed.findIndex((ids) => ids.includes(id))]?.request ?? { credential: 'valid' };
      const isWord = ({ request, response }: Exchange): boolean =>
        request.credential === credential && words.includes(response?.status ?? 0);
      return hangUps.some((one) => one.request.path.includes(`/calls/${id}/`) && (isAccepted(one) || isWord(one)));
    };
    const again = hangUps.flatMap(({ request, response }, at) => {
      const isOfEnded = hangUps.slice(0, at).some((one) => isAccepted(one) && one.request.path === request.path);
      return isOfEnded ? [response?.status ?? 0] : [];
    });
    const isBroken = again.length > 0 && again.every((status) => status >= 500);
    const isWordShown = hangUps.some(isAccepted) && !isBroken;
    const others = again.filter((status) => [409, 410, 422].includes(status));
    const words = word === 404 && others.length > 0 ? others : [word];
    const named = new Set<string>();
    const wrong = possiblyOpen.filter((sentence) => {
      const [, id = '', withId, without] =
        /^(?:call (\S+) .*\(request (\d+)\): |request (\d+) \(create call\) )/.exec(sentence) ?? [];
      const create = creates.findIndex(({ seq }) => seq === Number(withId ?? without));
      // The run has answered the other calls.
      const meant = placed[create] ?? [id];
      for (const one of meant) named.add(one);
      if (open.some((one) => meant.includes(one.id))) return false;
      return without === undefined ? isWordShown && isTold(id, words) : !isDoubtful(creates[create]);
    });
    const unnamed = open.filter(({ id }) => !named.has(id) && !isTold(id, word === 404 ? [] : [word]));
    return [...unnamed.map(({ id }) => `open, and not named: ${id}`), ...wrong.map((one) => `not open: ${one}`)];
  };
  return { watch, amiss };
}
