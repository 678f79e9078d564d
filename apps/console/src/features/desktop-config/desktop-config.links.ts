import { toUserDesktop } from '../../api/links/panel-links.ts';

export const toUpdateSite = (network: string, id: number): string => `${toUserDesktop(network)}/${id}/details`;
