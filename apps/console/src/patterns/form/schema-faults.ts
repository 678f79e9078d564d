type Schema = {
  safeParse: (values: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined };
};

/** Validates a form with the schema of its call: the first issue of each field, with the message of the schema. */
export const schemaFaults =
  (schema: Schema, texts: Readonly<Record<string, string>> = {}) =>
  (values: unknown): Record<string, string> => {
    const { error } = schema.safeParse(values);
    const faults: Record<string, string> = {};
    for (const { path, message } of error?.issues ?? []) {
      const field = String(path[0] ?? '');
      faults[field] ??= texts[field] ?? message;
    }
    return faults;
  };
