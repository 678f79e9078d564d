import { useEffect, useRef } from 'react';
import classes from './about-mfa.module.css';
import { aboutMfaId } from './mfa.links.ts';

/** The target of the link 'learn more about MFA'. */
export function AboutMfa() {
  const section = useRef<HTMLElement>(null);
  // The browser may have looked for the hash before this section was rendered.
  useEffect(() => {
    if (window.location.hash === `#${aboutMfaId}`) section.current?.scrollIntoView();
  }, []);
  return (
    <section ref={section} id={aboutMfaId} className={classes.about} aria-labelledby={`${aboutMfaId}-title`}>
      <h2 id={`${aboutMfaId}-title`} className={classes.title}>
        About multi-factor authentication
      </h2>
      <p>
        A password can be guessed, read over a shoulder or stolen from another site. With multi-factor authentication
        (MFA) a password alone is not enough: you also prove that you have something, such as your phone or your
        mailbox.
      </p>
      <p>
        <strong>A passkey</strong> is a key that your phone, your computer or a security key stores for you and uses
        only after checking that it is you. There is no code to type, and it works only for this address, never for a
        page that imitates it. It is the safest option, and you can use it without a password.
      </p>
      <p>
        <strong>An authenticator app (TOTP)</strong> shows a new 6-digit code every 30 seconds. It works without a
        network connection, and nobody can intercept the code on its way. It is safer than a code by email.
      </p>
      <p>
        <strong>A code by email</strong> is sent to you when you sign in. It is as safe as your mailbox.
      </p>
      <p>
        <strong>Recovery codes</strong> let you sign in if you have lost the phone or the key. Each code works once.
        Store them separately from your password: printed, or in a safe place away from this device.
      </p>
    </section>
  );
}
