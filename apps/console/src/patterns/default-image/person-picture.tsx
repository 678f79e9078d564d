import { Avatar } from '@mantine/core';
import person from './person.svg';

type PersonPictureProps = {
  /** The address, or '' for no picture. The default picture is shown then, and if the picture does not load. */
  address: string;
  size: number;
  /** The text alternative, or '' if the name is beside the picture. */
  alt?: string;
  className?: string | undefined;
};

export function PersonPicture({ address, size, alt = '', className = '' }: PersonPictureProps) {
  return (
    <Avatar className={className} src={address || person} alt={alt} size={size} radius={size / 2}>
      <img src={person} alt={alt} width={size} height={size} />
    </Avatar>
  );
}
