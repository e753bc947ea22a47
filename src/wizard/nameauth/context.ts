// Whether there is an authority already, and where a new one goes. Reads only.
import { existsSync } from 'node:fs'
import { type Environment, effectiveSettings } from '../../config/index.js'
import { candidatesIn, type NameauthTarget, prefixTarget, targetOf, usualTarget } from './places.js'
import { type NameauthSurvey, surveyNameauth } from './survey.js'

export interface NameauthContext {
  readonly target: NameauthTarget
  readonly survey: NameauthSurvey
  /** What is configured, and by what; undefined: nothing. */
  readonly configured: { readonly domain: string; readonly by: string } | undefined
}

export interface NameauthSources {
  /** Everything under this folder. */
  readonly prefix?: string | undefined
  /** This env file and no other. */
  readonly envFile?: string | undefined
  /** The variables of this process. */
  readonly surroundings: Environment
}

/** Throws ENV_FILE_UNREADABLE. */
export function findNameauth({ prefix, envFile, surroundings }: NameauthSources): NameauthContext {
  if (prefix !== undefined) return contextOf(prefixTarget(prefix))
  const there = envFile ?? candidatesIn(surroundings).find((path) => existsSync(path))
  const found = there === undefined ? undefined : contextOf(targetOf(there))
  const domain = domainIn(surroundings)
  const own = domain === undefined ? undefined : { domain, by: 'the environment' }
  if (found && (envFile !== undefined || found.configured)) return { ...found, configured: own ?? found.configured }
  return { ...contextOf(usualTarget(surroundings)), configured: own }
}

function contextOf(target: NameauthTarget): NameauthContext {
  const survey = surveyNameauth(target.places.envFile)
  const { domain } = survey
  return { target, survey, configured: domain === undefined ? undefined : { domain, by: target.places.envFile } }
}

const domainIn = (surroundings: Environment): string | undefined =>
  effectiveSettings(surroundings, 'nameauth').find(({ name, value }) => name === 'NAMEAUTH_DOMAIN' && value !== 'unset')
    ?.value
