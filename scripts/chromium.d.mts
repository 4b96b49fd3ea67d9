import type { Browser } from 'playwright-core';

export function hasBrowser(): boolean;
export function startBrowser(): Promise<Browser>;
