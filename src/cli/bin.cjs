#!/usr/bin/env node
// The executable, in the syntax of every Node: an older one would end with a SyntaxError and the exit code of a failing target.
'use strict';

var wanted = [20, 19];
var version = process.versions.node.split('.').map(Number);

if (version[0] > wanted[0] || (version[0] === wanted[0] && version[1] >= wanted[1])) {
  require('./start.cjs');
} else {
  console.error('pcs-conformance needs Node %s or later: this is %s.', wanted.join('.'), process.versions.node);
  process.exit(2);
}
