import { MantineProvider } from '@mantine/core';
import { fireEvent, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import person from './person.svg';
import { PersonPicture } from './person-picture.tsx';
import site from './site.svg';
import { SiteLogo } from './site-logo.tsx';

const show = (part: ReactNode) => {
  const { container } = render(<MantineProvider env="test">{part}</MantineProvider>);
  return {
    source: () => container.querySelector('img')?.getAttribute('src'),
    fail: () => fireEvent.error(container.querySelector('img') as HTMLElement),
  };
};

test('§2.2 top bar: a missing or deleted picture shows the default one', () => {
  expect(show(<PersonPicture address="" size={34} />).source()).toBe(person);
  const picture = show(<PersonPicture address="/server/sso/profile_pic/me.webp" size={34} />);
  expect(picture.source()).toBe('/server/sso/profile_pic/me.webp');
  picture.fail();
  expect(picture.source()).toBe(person);
});

test('§2.7 site panel: a missing or deleted logo shows a default image', () => {
  expect(show(<SiteLogo address={undefined} />).source()).toBe(site);
  const logo = show(<SiteLogo address="/logo.png" />);
  expect(logo.source()).toBe('/logo.png');
  logo.fail();
  expect(logo.source()).toBe(site);
});
