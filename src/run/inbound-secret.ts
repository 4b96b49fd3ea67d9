/** The inbound secret that a run writes: drawn by the system, and in the shape of one that the target is known to take. */

import { KEPT } from '../contract/limits.ts';
import { isObject } from '../exchange/json-text.ts';
import type { RunOptions } from './options.ts';
import type { Ports } from './ports.ts';

/** All kinds of characters and medium length, since a target may have password rules. */
const usual = ({ random }: Pick<Ports, 'random'>): string => `Pc9${random(8)}`;

const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

/** The secret of the settings, or else that of the sample. */
function shapeOf({ inbound, samples }: Pick<RunOptions, 'inbound' | 'samples'>): string {
  const { setInboundAuth: sample } = samples;
  const shape = inbound.secret ?? (isObject(sample) ? sample['secret'] : undefined);
  return typeof shape === 'string' && shape.length <= KEPT.name ? shape : '';
}

/**
 * A secret to write (model, section 7). Where the options hold one, each of its letters and digits is drawn again within
 * its class, and everything else stays: `12-ab-CD34ef` may become `70-xk-QM19za`.
 */
export function inboundSecret(options: Pick<RunOptions, 'inbound' | 'samples'>, ports: Pick<Ports, 'random'>): string {
  const characters = [...shapeOf(options)];
  const classes = characters.map((one) => CLASSES.find((among) => among.includes(one)));
  const drawn = classes.filter((among) => among !== undefined).length;
  if (drawn < KEPT.unmistakable) return usual(ports);
  const number = (): number => Number.parseInt(ports.random(4), 16);
  return characters.map((one, at) => classes[at]?.[number() % (classes[at]?.length ?? 1)] ?? one).join('');
}
