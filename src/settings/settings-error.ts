/** A wrong setting: the message is one sentence with the setting, the value (never a secret's) and the remedy. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
