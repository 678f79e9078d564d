import { Checkbox } from '@mantine/core';
import { attributeSourceLabels, type SiteRelease } from '@opensocial/contract';

type RequestedAttributesProps = {
  release: SiteRelease;
  checked: boolean;
  busy: boolean;
  onChange: (isReleased: boolean) => void;
};

/** The attributes that the metadata of a new site asks for. The site gets the default set without them. */
export function RequestedAttributes({ release, checked, busy, onChange }: RequestedAttributesProps) {
  const { attributes, further_attributes } = release;
  const requested = (attributes ?? []).map(
    ({ name, friendly_name, source }) => `${friendly_name || name} (${attributeSourceLabels[source].toLowerCase()})`,
  );
  const lists = further_attributes.length;
  const others =
    lists > 0 ? ` It has ${lists === 1 ? 'a further list' : `${lists} further lists`} for requests with an index.` : '';
  return (
    <Checkbox
      label="Release the requested attributes"
      description={`The application asks for ${requested.join(', ')}.${others} Otherwise it gets the default set. You can change this later under Attributes.`}
      checked={checked}
      disabled={busy}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
