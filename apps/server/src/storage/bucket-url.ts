export type Bucket = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };

const protocols: Record<string, string> = { 's3:': 'https:', 's3+http:': 'http:' };

/** Parses s3://KEY:SECRET@host/bucket?region=…; undefined if it is invalid. */
export const readBucketUrl = (text: string): Bucket | undefined => {
  const url = URL.parse(text);
  const protocol = protocols[url?.protocol ?? ''];
  if (!url || !protocol || !url.host || !/^\/[^/]+/.test(url.pathname) || !url.username || !url.password)
    return undefined;
  try {
    return {
      endpoint: `${protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`,
      region: url.searchParams.get('region') ?? 'us-east-1',
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    };
  } catch {
    return undefined;
  }
};
