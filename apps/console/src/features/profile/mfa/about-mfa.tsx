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
        (MFA) it is not enough: you prove as well that you hold something, your phone or your mailbox.
      </p>
      <p>
        <strong>A passkey</strong> is a key that your phone, your computer or a security key keeps for you and uses once
        it has seen that it is you. There is no code to type, and it works for this address only, never for a page that
        looks like it. It is the safest, and good without a password too.
      </p>
      <p>
        <strong>An authenticator app (TOTP)</strong> shows a new 6-digit code every 30 seconds. It needs no network, and
        nobody sees the code on its way. It is safer than mail.
      </p>
      <p>
        <strong>A code by email</strong> is sent to you when you sign in. It is as safe as your mailbox is.
      </p>
      <p>
        <strong>Recovery codes</strong> let you in when the phone or the key is lost, each of them once. Keep them where
        your password is not: printed, or in a safe place away from this device.
      </p>
    </section>
  );
}
