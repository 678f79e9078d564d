import { errors } from '@opensocial/contract';

export type UploadRules = {
  /** The maximum size of a file in bytes. */
  maximumBytes: number;
  /** The accepted media types, if not all images are accepted. */
  types?: readonly string[] | undefined;
};

const megabyte = 1024 * 1024;

export const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;

export const isImage = ({ type }: File): boolean => type.startsWith('image/');

/** §5, Image upload: the reason why a file is rejected. */
export const faultOf = (file: File, { maximumBytes, types }: UploadRules): string | undefined => {
  if (types && !types.includes(file.type)) return errors.file_type_invalid.message;
  if (file.size > maximumBytes) return `File size too large, max size allowed is ${megabytes(maximumBytes)}`;
  return undefined;
};
