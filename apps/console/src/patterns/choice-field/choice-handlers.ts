export type ChoiceParts<Choice> = {
  onChange: (value: string) => void;
  /** The call that saves a choice, for a field that saves at once. The value changes when the call has succeeded. */
  onChoose?: (choice: Choice) => Promise<unknown>;
  /** The call that removes the value, for a field that saves at once (§4, Removing). */
  onRemove?: () => Promise<unknown>;
};

/** The handlers of a `ChoiceField` whose value is chosen in a library. */
export const choiceHandlers = <Choice>(
  { onChange, onChoose, onRemove }: ChoiceParts<Choice>,
  choose: () => Promise<Choice | undefined>,
  valueOf: (choice: Choice) => string,
) => ({
  onChoose: async () => {
    const choice = await choose();
    if (choice === undefined) return;
    await onChoose?.(choice);
    onChange(valueOf(choice));
  },
  onRemove: async () => {
    await onRemove?.();
    onChange('');
  },
});
