import { lint, routeTypes, shortTests, textSteps, types } from './checks.ts'
import { runSteps } from './steps.ts'

process.exitCode = (await runSteps([[routeTypes, types]], [[shortTests], [...textSteps, lint]])) ? 0 : 1
