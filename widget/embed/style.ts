/**
 * The look of what stands around the payment page. It lives in a shadow root as a constructed style
 * sheet: no policy of the merchant's page has to allow it, and no rule of that page reaches it. An
 * important declaration of `:host` outranks every important one of the page (CSS cascade, context).
 */
export const STYLE = `
:host{all:initial!important;display:block!important}
[hidden]{display:none!important}
iframe{display:block;width:100%;height:480px;min-height:80px;max-height:30000px;border:0;border-radius:14px}
dialog{box-sizing:border-box;width:480px;max-width:100%;max-height:calc(100% - 48px);padding:0;border:0;border-radius:16px;overflow:hidden;background:#f4f5f3;background:light-dark(#f4f5f3,#0f1412);box-shadow:0 24px 64px #0006}
dialog[open]{display:flex;flex-direction:column}
dialog::backdrop{background:#000a}
dialog iframe{flex:0 1 auto;border-radius:0}
button{flex:none;align-self:end;width:44px;height:44px;border:0;background:none;color:CanvasText;font:28px/1 system-ui;cursor:pointer}
a{display:block;padding:24px;font:16px/1.5 system-ui;color:LinkText}
@media(max-width:600px){dialog{width:100%;height:100%;max-height:none;border-radius:0}dialog iframe{flex:1}}
@media(prefers-reduced-motion:no-preference){dialog{animation:f .15s}@keyframes f{0%{opacity:0}}}
`
