/**
 * Counts down until another code may be sent. If it does not run, the button can be pressed at once, and the server sends no code before the
 * time has come.
 */
const countDown = (button: HTMLButtonElement): void => {
  const label = button.textContent;
  const end = Date.now() + Number(button.dataset['waits']) * 1_000;
  // The button is not disabled, because it would lose the focus.
  const handleClick = (event: Event) => event.preventDefault();
  button.addEventListener('click', handleClick);
  button.setAttribute('aria-disabled', 'true');
  const show = (): void => {
    const left = Math.ceil((end - Date.now()) / 1_000);
    button.textContent = left > 0 ? `${label} in ${left} s` : label;
    if (left > 0) return;
    clearInterval(timer);
    button.removeEventListener('click', handleClick);
    button.removeAttribute('aria-disabled');
  };
  const timer = setInterval(show, 250);
  show();
};

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-waits]')) countDown(button);
