/**
 * Runs command lines one after another, each as a process of its own would: the real `main.js`, with its own words,
 * environment and folder, on the real streams. Only the modules behind it, and what the engine has compiled, stay. A
 * command is over once nothing is left in the event loop, so that a handle left open is a hang here, too. What would end
 * a process ends this one.
 */

const MAIN = new URL('../../dist/src/cli/main.js', import.meta.url);
const home = process.cwd();
const exitListeners = process.listenerCount('exit');
let count = 0;

process.on('message', ({ words, env, cwd }) => {
  // Its channel must not keep the process alive while the command runs.
  process.channel.unref();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(1, process.argv.length, MAIN.pathname, ...words);
  // That of a process whose event loop is empty before its main module is done.
  process.exitCode = 13;
  count += 1;
  import(`${MAIN}?${count}`);
});

process.on('beforeExit', (code) => {
  // What listens for the end of the process is to hear it, and without a parent there is nothing to wait for.
  if (process.channel === undefined || process.listenerCount('exit') > exitListeners) process.exit(code);
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.write('\0');
  }
  // A folder that a process works in can be neither removed nor unmounted.
  process.chdir(home);
  process.channel.ref();
  process.send({ code, peak: process.resourceUsage().maxRSS });
});
