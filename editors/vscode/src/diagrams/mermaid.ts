/// <reference lib="dom" />

// What `preview.ts` fetches once there is a diagram to draw.

import mermaid from 'mermaid';

window.keywrightMermaid = mermaid;
