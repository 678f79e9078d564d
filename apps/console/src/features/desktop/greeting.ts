/** For example 'Good morning, Ana'. People who have not entered a name have their email address as name, which is no way to greet them. */
export const greetingFor = (name: string, now: Date): string => {
  const [firstName] = name.trim().split(/\s+/);
  const greeting = greetingAt(now.getHours());
  return firstName && !firstName.includes('@') ? `${greeting}, ${firstName}` : greeting;
};

/** At night no greeting of a time of day fits. */
const greetingAt = (hour: number): string => {
  if (hour < 5) return 'Hello';
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
};
