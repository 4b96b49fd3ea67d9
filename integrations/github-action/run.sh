#!/usr/bin/env bash
# Runs the suite with the inputs of the action, and sets its outputs. The command writes the step summary itself.
set -euo pipefail

if [ -z "$INPUT_PACKAGE" ]; then
  echo "::error title=no package::Set the input package to where npm finds the suite: a tarball, a git reference or a private registry (docs/install.md)."
  exit 2
fi

# An empty input must not hide what the job has in its environment.
for input in "${!INPUT_PCS_@}"; do
  if [ -n "${!input}" ]; then export "${input#INPUT_}=${!input}"; fi
done

if [ -n "$INPUT_SETTINGS" ]; then
  PCS_ENV_FILE=$(mktemp "$RUNNER_TEMP/settings.XXXXXX")
  export PCS_ENV_FILE
  trap 'rm -f "$PCS_ENV_FILE"' EXIT
  printf '%s\n' "$INPUT_SETTINGS" > "$PCS_ENV_FILE"
fi

# By its time the results of this run are told from those of an earlier one.
touch "$RUNNER_TEMP/started"

# Nothing is unquoted: the parts of a quoted value would be used each for itself.
case "$INPUT_ARGUMENTS" in
  *[\'\"\\]*)
    echo "::error title=quotes in arguments::The input arguments holds a quotation mark or a backslash, and is split at every blank: write such a value into the input settings, as PCS_HEADER='X-Name: value'."
    exit 2
    ;;
esac
if [[ $INPUT_ARGUMENTS == *--report-dir* || $'\n'$INPUT_SETTINGS =~ $'\n'[[:space:]]*(export[[:space:]]+)?PCS_REPORT_DIR[[:space:]]*= ]]; then
  echo "::error title=report folder elsewhere::The outputs and the artifact are not taken from a folder that arguments or settings name: use the input report-dir."
  exit 2
fi

# They may stand on several lines; read reports the end of the input as an error.
read -r -d '' -a arguments <<< "$INPUT_ARGUMENTS" || true
code=0
# A job that is cancelled gets a signal: it is passed on, so that open calls are hung up. npx would pass none on.
(
  suite=$(npx --yes --package "$INPUT_PACKAGE" -- sh -c 'command -v pcs-conformance')
  exec "$suite" run ${arguments[@]+"${arguments[@]}"}
) &
child=$!
trap 'kill -TERM "$child"' INT TERM
wait "$child" || code=$?
while kill -0 "$child" 2> /dev/null; do
  code=0
  wait "$child" || code=$?
done

# npm itself may have failed, with the exit code of a verdict.
if ! node "$GITHUB_ACTION_PATH/outputs.mjs" "${PCS_REPORT_DIR:-conformance-report}" "$code" "$RUNNER_TEMP/started" >> "$GITHUB_OUTPUT"; then
  echo "::error title=nothing was judged::The command exited with $code before it judged anything: see the log of this step."
  [ "$code" != 0 ] || code=4
  exit "$code"
fi
case "$INPUT_FAIL$code" in
  false[0134]) exit 0 ;;
  *) exit "$code" ;;
esac
