// The one style of the documents: the colours of the dashboard, the fonts of the reader's system.

/** `colours`: rules that replace the accent by the operator's. */
export const styleOf = (
  colours: string,
): string => `:root{color-scheme:light;--ground:#f6f8f7;--surface:#fff;--sunken:#eef2f0;--line:#e0e6e3;
--edge:#86918c;--ink:#121a16;--muted:#55605b;--accent:#0a7350;--on-accent:#fff}
.dark{color-scheme:dark;--ground:#0c100e;--surface:#131816;--sunken:#1b2220;--line:#29322e;--edge:#66726c;--ink:#ebf1ee;--muted:#9ba8a2;--accent:#4fd09d;--on-accent:#04140d}
${colours}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 'Inter Variable',Inter,system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--accent);text-underline-offset:2px}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--surface);padding:.25rem .75rem}
header,footer{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.5rem;max-width:76rem;margin:0 auto;padding:.9rem 1.25rem;font-size:.9rem}
header>a{color:inherit;font-weight:600;text-decoration:none;font-size:1.05rem}header nav{margin-left:auto;display:flex;gap:1rem}@media(width>=52rem){.to-pages{display:none}}
footer{border-top:1px solid var(--line);color:var(--muted);margin-top:4rem;padding-bottom:2rem}footer form{margin-left:auto;display:flex;gap:.5rem}
form[role=search]{display:flex;gap:.5rem;flex:0 1 24rem}input,select{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:.5rem;padding:.35rem .7rem;min-width:0;width:100%}
button{font:inherit;font-weight:500;background:var(--accent);color:var(--on-accent);border:0;border-radius:.5rem;padding:.4rem .9rem;cursor:pointer}
.plain{background:none;color:inherit;border:1px solid var(--edge)}
.page{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:1rem 3.5rem;max-width:76rem;margin:0 auto;padding:1rem 1.25rem}
.side h2{font-size:.78rem;color:var(--muted);font-weight:500;margin:1.2rem 0 .3rem}.side ul{list-style:none;margin:0;padding:0}
.side a{display:block;padding:.22rem .6rem;margin-left:-.6rem;border-radius:.4rem;color:inherit;text-decoration:none;font-size:.9rem}
.side a:hover{background:var(--sunken)}.side a[aria-current]{background:var(--sunken);font-weight:600}
main{max-width:48rem;min-width:0}h1{font-size:1.9rem;line-height:1.2;letter-spacing:-.02em;margin:.3rem 0 .5rem;text-wrap:balance}
main h2{font-size:1.25rem;letter-spacing:-.01em;margin:2.6rem 0 .6rem;text-wrap:balance}.lead{font-size:1.1rem;color:var(--muted);margin:.2rem 0 0}
p{text-wrap:pretty}.note{font-size:.85rem;color:var(--muted)}
pre{overflow-x:auto;padding:.9rem 1rem;background:#101815;color:#dfe9e4;border-radius:.6rem;font-size:.84rem;line-height:1.55}
code{font-family:'JetBrains Mono Variable',ui-monospace,monospace;font-size:.92em;font-variant-ligatures:none}:not(pre)>code{overflow-wrap:anywhere}
.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;width:100%;font-size:.9rem}
td:first-child code{white-space:nowrap}td:last-child{min-width:13rem}td,th{text-align:left;padding:.5rem 1.2rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}th{color:var(--muted);font-weight:500}
.trial{background:var(--surface);border:1px solid var(--line);border-radius:.8rem;padding:1rem 1.2rem;margin:1rem 0;display:grid;gap:.7rem}.trial[hidden]{display:none}
.trial label{display:grid;grid-template-columns:12rem minmax(0,1fr);gap:.2rem 1rem;align-items:center;font-size:.9rem}.trial button{justify-self:start;max-width:100%}.trial p{margin:0}
.answer{max-height:28rem;margin:.6rem 0 0}.hit{margin:1.4rem 0}.hit p{margin:.1rem 0;font-size:.9rem;color:var(--muted)}
@media(width<52rem){.page{grid-template-columns:minmax(0,1fr)}.side{order:2;border-top:1px solid var(--line)}.trial label{grid-template-columns:minmax(0,1fr)}header nav{margin-left:0}td,th{padding-right:.8rem}}`;
