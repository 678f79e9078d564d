import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import classes from '../../patterns/form/form.module.css';
import { type Arrangement, describePlace, type Place, placeOf } from './arrangement.ts';
import { useArrangement } from './use-arrangement.ts';

type TilePlaceFieldProps = { network: NetworkRef; id: number; config: Arrangement };

/** Moves a tile by buttons, for users who cannot drag (WCAG 2.5.7). */
export function TilePlaceField({ network, id, config }: TilePlaceFieldProps) {
  const { arrange } = useArrangement(network);
  const place = placeOf(config, id);
  const last = config.desktop.length;
  const group = useRef<HTMLFieldSetElement>(null);
  const leftList = useRef<Place['list']>(undefined);
  const moveTo = (next: Place) => () => {
    if (next.list !== place?.list) leftList.current = place?.list;
    arrange(id, next);
  };
  // The other list has other buttons, so the pressed button is gone.
  useEffect(() => {
    if (!leftList.current || leftList.current === place?.list) return;
    leftList.current = undefined;
    group.current?.querySelector('button')?.focus();
  });
  if (!place) return null;
  const at = (index: number): Place => ({ list: 'desktop', index });
  const placeText = describePlace(place, config);
  return (
    <fieldset ref={group} className={classes.group}>
      <legend className={classes.legend}>Place on the desktop</legend>
      <p className={classes.hint} role="status">
        {placeText.charAt(0).toUpperCase() + placeText.slice(1)}. Changes are saved immediately.
      </p>
      <div className={classes.row}>
        {place.list === 'available' ? (
          <Button variant="default" size="sm" leftSection={<IconPlus size={16} />} onClick={moveTo(at(last))}>
            Add to the desktop
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconArrowLeft size={16} />}
              aria-disabled={place.index === 0}
              data-disabled={place.index === 0}
              onClick={moveTo(at(Math.max(place.index - 1, 0)))}
            >
              Move earlier
            </Button>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconArrowRight size={16} />}
              aria-disabled={place.index === last - 1}
              data-disabled={place.index === last - 1}
              onClick={moveTo(at(Math.min(place.index + 1, last - 1)))}
            >
              Move later
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="sm"
              leftSection={<IconX size={16} />}
              onClick={moveTo({ list: 'available' })}
            >
              Remove from the desktop
            </Button>
          </>
        )}
      </div>
    </fieldset>
  );
}
