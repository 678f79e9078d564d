import { useEffect, useState } from 'react';
import { watchDismissal } from '../../api/sign-in/fresh-sign-in.ts';
import { FormError } from './form-error.tsx';

type DismissedSignInProps = {
  /** Whether the form waits for its call. */
  busy: boolean;
};

/** Says at the form that its call was not made, because the person has dismissed the sign-in that it needs. */
export function DismissedSignInError({ busy }: DismissedSignInProps) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    if (busy) return watchDismissal(setText);
    // The text ends when the form is sent again.
    return () => setText(undefined);
  }, [busy]);
  return <FormError>{text}</FormError>;
}
