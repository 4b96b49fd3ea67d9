// old name, until the suites are moved
export { integerEdges } from './boundary.ts';
