import { TOTP } from 'otpauth';

/** The code that an authenticator app shows for a key now, or some steps from now. Each code is valid once. */
export const codeOf = (key: string, stepsAhead = 0): string =>
  new TOTP({ secret: key }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });

/** A code that is wrong now and for the minutes around it. */
export const wrongCode = (key: string): string => {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
};
