import type { ComponentProps } from 'react';
import { BusyButton } from '../busy-button/busy-button.tsx';

/** The button that submits a form. While the form is sent, it shows the text of the specification and ignores clicks. */
export function SubmitButton(props: Omit<ComponentProps<typeof BusyButton>, 'type' | 'busyText'>) {
  return <BusyButton {...props} type="submit" busyText="please wait ...." />;
}
