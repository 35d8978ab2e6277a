import type { Config } from '@react-router/dev/config'

export default {
  routeDiscovery: { mode: 'initial' },
  subResourceIntegrity: true,
  // Node stores compiled functions of CommonJS alone; see app/platform/compiled-code.server.ts.
  serverModuleFormat: 'cjs',
} satisfies Config
