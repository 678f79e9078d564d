import { ActionIcon, Button, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import {
  maximumSocialLinks,
  type SocialLink,
  type SocialNetwork,
  socialAddress,
  socialFault,
  socialLinksOf,
  socialNetworks,
} from '@opensocial/contract/mail';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import classes from './inspector.module.css';
import { type Attributes, type Change, Choice, ColourSetting, textOf } from './setting-fields.tsx';

const names = Object.keys(socialNetworks) as SocialNetwork[];
const looks = [
  { value: 'badges', label: 'Badges' },
  { value: 'text', label: 'Plain links' },
] as const;

type SocialFieldsProps = { attrs: Attributes; linkFault: (address: string) => string | undefined; onChange: Change };

/** The links of a social block: a network and an address each. */
export function SocialFields({ attrs, linkFault, onChange }: SocialFieldsProps) {
  const links = socialLinksOf(attrs['links']);
  const replace = (place: number, changes: Partial<SocialLink>, how?: 'typed') =>
    onChange({ links: links.map((link, at) => (at === place ? { ...link, ...changes } : link)) }, how);
  const handleAdd = () => {
    const network = names.find((name) => !links.some((link) => link.network === name)) ?? 'website';
    onChange({ links: [...links, { network, url: '' }] });
  };
  /** Adds the missing scheme of a pasted address. */
  const handleLeave = (place: number, url: string) => {
    const whole = `https://${url.trim()}`;
    if (url.trim() !== '' && !url.includes(':') && socialAddress(whole)) replace(place, { url: whole }, 'typed');
  };
  const handleRaise = (place: number) =>
    onChange({ links: links.with(place - 1, links[place] as SocialLink).with(place, links[place - 1] as SocialLink) });
  return (
    <>
      {links.map((link, place) => {
        const { name, example } = socialNetworks[link.network];
        const fault = socialFault(link) ?? linkFault(link.url);
        const isBlank = link.url.trim() === '';
        return (
          <div key={place} className={classes.social} role="group" aria-label={`Social link ${place + 1}`}>
            <div className={classes.socialHead}>
              <NativeSelect
                aria-label={`Network of link ${place + 1}`}
                size="sm"
                value={link.network}
                data={names.map((value) => ({ value, label: socialNetworks[value].name }))}
                onChange={(event) => replace(place, { network: event.currentTarget.value as SocialNetwork })}
              />
              <IconButton
                label={`Move ${name} up`}
                icon={IconArrowUp}
                isOff={place === 0}
                onClick={() => handleRaise(place)}
              />
              <IconButton
                label={`Remove ${name}`}
                icon={IconTrash}
                onClick={() => onChange({ links: links.filter((_, at) => at !== place) })}
              />
            </div>
            <TextInput
              aria-label={`Address of ${name}`}
              size="sm"
              type="url"
              placeholder={example}
              spellCheck={false}
              autoComplete="off"
              value={link.url}
              // A new link has no address yet, which is not an error.
              {...(isBlank ? { description: fault } : { error: fault })}
              inputWrapperOrder={['input', 'description', 'error']}
              onChange={(event) => replace(place, { url: event.currentTarget.value }, 'typed')}
              onBlur={() => handleLeave(place, link.url)}
            />
          </div>
        );
      })}
      {links.length < maximumSocialLinks && (
        <Button variant="default" size="sm" leftSection={<IconPlus size={16} />} onClick={handleAdd}>
          Add a link
        </Button>
      )}
      <Choice
        label="Look"
        value={textOf(attrs['look']) === 'text' ? 'text' : 'badges'}
        choices={looks}
        onChange={(look) => onChange({ look })}
      />
      <ColourSetting label="Link colour" name="colour" attrs={attrs} onChange={onChange} />
    </>
  );
}

type IconButtonProps = { label: string; icon: typeof IconTrash; isOff?: boolean; onClick: () => void };

function IconButton({ label, icon: ButtonIcon, isOff = false, onClick }: IconButtonProps) {
  return (
    <Tooltip label={label} openDelay={400} withArrow>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} disabled={isOff} onClick={onClick}>
        <ButtonIcon size={17} stroke={1.8} />
      </ActionIcon>
    </Tooltip>
  );
}
