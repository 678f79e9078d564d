/** Validates that a text field is filled in. */
export const required =
  (message: string) =>
  (value: string): string | undefined =>
    value.trim() === '' ? message : undefined;
