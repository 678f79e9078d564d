import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import formClasses from '../../../patterns/form/form.module.css';

type StepButtonsProps = {
  /** The step before; absent in the first step of a registered site. */
  back?: string;
  action: string;
  busy?: boolean;
  onContinue: () => void;
};

/** The buttons at the end of a step. */
export function StepButtons({ back, action, busy = false, onContinue }: StepButtonsProps) {
  return (
    <div className={formClasses.buttons}>
      {back !== undefined && (
        <Button variant="default" component={Link} to={back}>
          Back
        </Button>
      )}
      <BusyButton busy={busy} busyText="please wait ...." onClick={onContinue}>
        {action}
      </BusyButton>
    </div>
  );
}
