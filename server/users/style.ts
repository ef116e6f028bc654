/**
 * The one style sheet of the pages for merchants' users, inline and known to the policy by its
 * hash. Its colours and sizes are those of the payer's page, and a test holds them equal.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --accent: #0b6b4f;
  --accent-strong: #085741;
  --accent-text: #ffffff;
  --accent-tint: #e7f3ee;
  --ground: #f4f5f3;
  --surface: #ffffff;
  --raised: #fafbfa;
  --text: #16201c;
  --muted: #56625c;
  --line: #dfe3e0;
  --control: #86918b;
  --problem: #a8261c;
  --problem-tint: #fdf0ee;
  --news: #134f86;
  --news-tint: #eef5fc;
  --test: #6b4a00;
  --test-tint: #fdf2d5;
  --radius: 10px;
  --shadow: 0 1px 2px rgb(16 32 26 / 5%), 0 12px 32px -12px rgb(16 32 26 / 14%);
  --font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
  --text-s: 0.875rem;
  --text-m: 1rem;
  --text-l: 1.125rem;
  --text-xl: 1.5rem;
}

@media (prefers-color-scheme: dark) {
  :root {
    --accent: #4cc79b;
    --accent-strong: #6ad6b0;
    --accent-text: #04231a;
    --accent-tint: #14322a;
    --ground: #0f1412;
    --surface: #171d1a;
    --raised: #1c2320;
    --text: #e9efec;
    --muted: #a3afa9;
    --line: #2c3531;
    --control: #74817b;
    --problem: #ff9c90;
    --problem-tint: #38201d;
    --news: #93c5f5;
    --news-tint: #16293b;
    --test: #f2cf7a;
    --test-tint: #352a10;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 16px 40px -16px rgb(0 0 0 / 60%);
  }
}

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--surface);
  color: var(--text);
  font: 400 var(--text-m) / 1.5 var(--font);
  -webkit-font-smoothing: antialiased;
}
h1, h2, p, ul, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0; }
fieldset { min-inline-size: 0; }
button, input { font: inherit; color: inherit; letter-spacing: inherit; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

main {
  max-inline-size: 28rem;
  margin-inline: auto;
  padding: 1.5rem 1.25rem 2rem;
}
@media (min-width: 34rem) {
  body { background: var(--ground); }
  main {
    margin-block: clamp(1.5rem, 9vh, 6rem) 2rem;
    padding: 2rem;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: 20px;
    box-shadow: var(--shadow);
  }
}

.house {
  display: flex;
  align-items: center;
  gap: 0.625rem;
  margin-block-end: 1.75rem;
  font-weight: 600;
}
.mark {
  display: grid;
  place-items: center;
  inline-size: 2rem;
  block-size: 2rem;
  border-radius: 8px;
  background: var(--accent);
  color: var(--accent-text);
  font-weight: 700;
}
h1 {
  font-size: var(--text-xl);
  font-weight: 650;
  line-height: 1.3;
  letter-spacing: -0.01em;
  text-wrap: balance;
  overflow-wrap: anywhere;
}
h2, legend { font-size: var(--text-m); font-weight: 650; }
.lead { margin-block-start: 0.5rem; color: var(--muted); overflow-wrap: anywhere; }
.detail {
  margin-block-start: 1rem;
  padding: 0.75rem 0.875rem;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--raised);
  font-size: var(--text-s);
  overflow-wrap: anywhere;
}

form { display: grid; gap: 1rem; margin-block-start: 1.5rem; }
.field label { display: block; margin-block-end: 0.3125rem; font-size: var(--text-s); font-weight: 550; }
.field input {
  inline-size: 100%;
  min-block-size: 3rem;
  padding: 0.625rem 0.875rem;
  background: var(--surface);
  border: 1px solid var(--control);
  border-radius: var(--radius);
  appearance: none;
}
.field input:focus {
  outline: 2px solid var(--accent);
  outline-offset: -1px;
  border-color: var(--accent);
  box-shadow: 0 0 0 4px var(--accent-tint);
}
.field input[aria-invalid='true'] {
  border-color: var(--problem);
  box-shadow: inset 0 0 0 1px var(--problem);
}
.hint { margin-block-start: 0.3125rem; color: var(--muted); font-size: var(--text-s); }
.notice {
  display: flex;
  gap: 0.625rem;
  padding: 0.75rem 0.875rem;
  border-radius: var(--radius);
  background: var(--problem-tint);
  color: var(--problem);
  font-size: var(--text-s);
  font-weight: 500;
}
.notice svg { flex: none; margin-block-start: 0.1rem; }

.part { display: grid; gap: 0.625rem; margin-block-end: 0.5rem; }
legend + .notice { margin-block: 0.625rem 0; }
fieldset .choices { margin-block-start: 0.625rem; }
.choices { display: grid; gap: 0.5rem; }
.choice {
  display: flex;
  align-items: center;
  gap: 0.75rem;
  min-block-size: 3rem;
  padding: 0.625rem 0.875rem;
  border: 1px solid var(--control);
  border-radius: var(--radius);
  overflow-wrap: anywhere;
}
label.choice { cursor: pointer; }
label.choice:hover { background: var(--raised); }
label.choice:has(:checked) { border-color: var(--accent); background: var(--accent-tint); }
label.choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice input { flex: none; inline-size: 1.25rem; block-size: 1.25rem; margin: 0; accent-color: var(--accent); }
.choice input:focus-visible { outline: none; }
p.choice { border-color: var(--line); background: var(--raised); }
.choice .name { flex: 1; min-inline-size: 0; font-weight: 550; }
.choice .key { display: block; color: var(--muted); font-size: var(--text-s); font-weight: 400; }
.badge {
  flex: none;
  padding: 0.125rem 0.5rem;
  border-radius: 999px;
  background: var(--test-tint);
  color: var(--test);
  font-size: var(--text-s);
  font-weight: 550;
}

.scopes { list-style: none; border: 1px solid var(--line); border-radius: var(--radius); }
.scopes li {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: baseline;
  gap: 0 1rem;
  padding: 0.625rem 0.875rem;
  overflow-wrap: anywhere;
}
.scopes li + li { border-block-start: 1px solid var(--line); }
.scopes .level { max-inline-size: 11rem; color: var(--muted); font-size: var(--text-s); text-align: end; }
.scopes .note { grid-column: 1 / -1; color: var(--news); font-size: var(--text-s); }
@media (max-width: 22rem) {
  .scopes li, .scopes li span { display: block; }
  .scopes .level { max-inline-size: none; text-align: start; }
}
.terms { display: grid; gap: 0.25rem; color: var(--muted); font-size: var(--text-s); }

.buttons { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(8.5rem, 100%), 1fr)); gap: 0.75rem; }
.button {
  inline-size: 100%;
  min-block-size: 3.25rem;
  padding: 0.625rem 1.25rem;
  border: 1px solid transparent;
  border-radius: var(--radius);
  background: var(--accent);
  color: var(--accent-text);
  font-size: var(--text-l);
  font-weight: 650;
  cursor: pointer;
}
.button:hover { background: var(--accent-strong); }
/* A click that was aimed at a window above this one must not approve anything: for a moment after
   the pointer comes in, the buttons take none. */
@media (hover: hover) {
  .guarded { position: relative; }
  .guarded::after { content: ""; position: absolute; inset: 0; }
  :root:hover .guarded::after { visibility: hidden; transition: visibility 0s 700ms; }
}
.button:active { transform: translateY(1px); }
.button.quiet { border-color: var(--control); background: transparent; color: var(--text); font-weight: 550; }
.button.quiet:hover { background: var(--raised); }

.who {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.25rem 1rem;
  margin-block-start: 1.75rem;
  padding-block-start: 1rem;
  border-block-start: 1px solid var(--line);
  color: var(--muted);
  font-size: var(--text-s);
}
.who p { overflow-wrap: anywhere; }
.link {
  min-block-size: 2.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: var(--accent);
  text-decoration: underline;
  text-underline-offset: 0.2em;
  cursor: pointer;
}

nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin-block-start: 1.5rem; }
nav a {
  min-block-size: 2.75rem;
  display: inline-flex;
  align-items: center;
  color: var(--accent);
  text-underline-offset: 0.2em;
}

@media (forced-colors: active) {
  .button, .mark { border: 2px solid ButtonText; }
  label.choice:has(:checked) { outline: 2px solid Highlight; }
}
`
