export const invitationTitle = (email: string): string => `Invitation link for ${email}`;
