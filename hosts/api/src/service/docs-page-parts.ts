/** The HTML of the documentation page. `base` is the address of its assets, relative to the page. */
export const docsPage = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Palimpsest API</title>
<link rel="icon" type="image/png" sizes="32x32" href="${base}/favicon-32x32.png">
<link rel="stylesheet" href="${base}/swagger-ui.css">
<link rel="stylesheet" href="${base}/docs.css">
<script src="${base}/swagger-ui-bundle.js" defer></script>
<script src="${base}/docs.js" defer></script>
</head>
<body>
<main id="api"></main>
<p role="status">Loading …</p>
<noscript><p>This page needs JavaScript. The OpenAPI document is at <a href="openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`;

export const DOCS_CSS = `body{margin:0;background:#fff}
html.dark-mode body{background:#1c2022}
[role=status],noscript p{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:20vh auto 0;padding:0 1rem;text-align:center;color:#555}
[role=status]:empty{display:none}
html.dark-mode [role=status]{color:#ccc}
.swagger-ui .info{margin:2.5rem 0 1.5rem}
.swagger-ui .info summary{cursor:pointer;font-family:sans-serif;font-size:14px;font-weight:700;color:inherit}
.swagger-ui .info table{display:block;max-width:100%;overflow-x:auto}
.swagger-ui .info table :is(th,td){vertical-align:baseline;padding:.3rem 1rem .3rem 0}
.swagger-ui .info table code{white-space:nowrap}
.swagger-ui table.responses-table>tbody>tr>td.response-col_links,.swagger-ui table.responses-table>thead>tr>td.response-col_links{display:none}
@media(max-width:640px){
.swagger-ui .opblock .opblock-summary-path{max-width:none;word-break:break-word}
.swagger-ui .opblock .opblock-summary-description{display:none}
.swagger-ui table.parameters,.swagger-ui table.parameters>tbody,.swagger-ui table.parameters>tbody>tr,.swagger-ui table.parameters>tbody>tr>td{display:block}
.swagger-ui table.parameters>thead,.swagger-ui table.responses-table>thead{display:none}
.swagger-ui table.responses-table,.swagger-ui table.responses-table>tbody,.swagger-ui table.responses-table>tbody>tr,.swagger-ui table.responses-table>tbody>tr>td:not(.response-col_links){display:block}
.swagger-ui table.responses-table>tbody>tr>td{padding:.3rem 0;max-width:none}
.swagger-ui .response-col_status{width:auto;font-weight:700}
.swagger-ui .response-col_description{width:auto}
.swagger-ui table.headers{display:block;overflow-x:auto}
.swagger-ui .parameters-col_name{width:auto;padding-bottom:0}
.swagger-ui .parameters-col_description input,.swagger-ui .parameters-col_description select{max-width:100%;box-sizing:border-box}
}
`;

// The page sends requests to the address in the browser, which may differ from PUBLIC_URL. The examples of optional
// headers appear only in their descriptions. Swagger UI would send an example as the default value, so that the first
// request would be conditional.
export const DOCS_SCRIPT = `'use strict';
const status = document.querySelector('[role=status]');
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const withoutConditions = (description) => {
  for (const path of Object.values(description.paths)) {
    for (const { parameters = [] } of Object.values(path)) {
      for (const parameter of parameters) {
        if (parameter.in !== 'header' || parameter.required || parameter.example === undefined) continue;
        parameter.description += ' Example: \`' + parameter.example + '\`';
        delete parameter.example;
      }
    }
  }
  return description;
};

const show = async () => {
  const response = await fetch('openapi.json', { cache: 'no-cache' });
  if (!response.ok) throw new Error('The response to openapi.json has the status ' + response.status + '.');
  const description = withoutConditions(await response.json());
  const here = new URL('.', location.href).href.replace(/\\/$/, '');
  SwaggerUIBundle({
    spec: { ...description, servers: [{ url: here, description: 'This service' }] },
    domNode: document.getElementById('api'),
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
  status.textContent = '';
};

show().catch((error) => {
  console.error(error);
  status.textContent = 'The documentation is not available right now. Try again in a moment.';
});
`;
