import { Modal } from '@mantine/core';
import { useState } from 'react';
import { webUrl } from '../../patterns/links/web-url.ts';
import classes from './legal-footer.module.css';

/** The default links, for a network without its own and while the network is unknown. */
const texts = {
  'Terms of use': 'This service is run by your organisation. Ask its administrator for the terms that apply to you.',
  'Privacy policy':
    'This service is run by your organisation, which decides what it keeps about you. Ask its administrator for its privacy policy.',
};
type Subject = keyof typeof texts;

type LegalFooterProps = {
  /** The addresses of the network, or '' for the default. */
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
};

export function LegalFooter({ termsUrl = '', privacyUrl = '' }: LegalFooterProps) {
  const [shown, setShown] = useState<Subject>('Terms of use');
  const [opened, setOpened] = useState(false);
  const show = (subject: Subject) => {
    setShown(subject);
    setOpened(true);
  };
  return (
    <>
      <LegalLink subject="Terms of use" url={webUrl(termsUrl)} onShow={show} />
      <LegalLink subject="Privacy policy" url={webUrl(privacyUrl)} onShow={show} />
      <span>© 2019 OpenSocial</span>
      <Modal opened={opened} onClose={() => setOpened(false)} title={shown} size={400}>
        {texts[shown]}
      </Modal>
    </>
  );
}

type LegalLinkProps = { subject: Subject; url: string | undefined; onShow: (subject: Subject) => void };

function LegalLink({ subject, url, onShow }: LegalLinkProps) {
  if (url)
    return (
      // Opens in a new tab, so that the password form keeps its input.
      <a className={classes.link} href={url} target="_blank" rel="noopener noreferrer">
        {subject}
      </a>
    );
  return (
    <button type="button" className={classes.link} aria-haspopup="dialog" onClick={() => onShow(subject)}>
      {subject}
    </button>
  );
}
