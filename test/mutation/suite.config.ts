import { defineConfig } from 'vitest/config';

/** Unit tests of what is mutated; the others of their folders open sockets or make whole runs. */
const OF_GUARDS = '{admission,dial-guard*,dials-nothing,guards,json-scan,learned,name-fold,request-path,write-guard*}';
const OF_EXPECTATIONS = '{credential-opinions,effect-opinions,error-in-success,path-served}';

export default defineConfig({
  test: {
    include: [
      'test/mutation/suite.mutants.ts',
      `test/unit/client/${OF_GUARDS}.test.ts`,
      `test/unit/verdict/${OF_EXPECTATIONS}.test.ts`,
    ],
    globalSetup: 'test/mutation/recorded-runs.ts',
    provide: { whole: false },
    testTimeout: 60_000,
  },
});
