// old names, until the suites are moved
export { type BoundaryGroup as ExoticGroup, boundaryGroups as exoticGroups } from './boundary.ts';
