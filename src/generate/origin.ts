// old name, until the suites are moved
export { type Origin, originIn } from './hunt.ts';
