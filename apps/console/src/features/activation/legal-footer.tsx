import { Modal } from '@mantine/core';
import { useState } from 'react';
import classes from './legal-footer.module.css';

/** Whoever runs the service has its own terms; until a network is known there is no address to link to. */
const texts = {
  'Terms of use': 'This service is run by your organisation. Ask its administrator for the terms that apply to you.',
  'Privacy policy':
    'This service is run by your organisation, which decides what it keeps about you. Ask its administrator for its privacy policy.',
};
type Subject = keyof typeof texts;

export function LegalFooter() {
  const [shown, setShown] = useState<Subject>('Terms of use');
  const [opened, setOpened] = useState(false);
  const show = (subject: Subject) => {
    setShown(subject);
    setOpened(true);
  };
  return (
    <>
      {(Object.keys(texts) as Subject[]).map((subject) => (
        <button
          key={subject}
          type="button"
          className={classes.link}
          aria-haspopup="dialog"
          onClick={() => show(subject)}
        >
          {subject}
        </button>
      ))}
      <span>© 2019 OpenSocial</span>
      <Modal opened={opened} onClose={() => setOpened(false)} title={shown} size={400}>
        {texts[shown]}
      </Modal>
    </>
  );
}
