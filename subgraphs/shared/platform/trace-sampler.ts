// Which traces are sampled. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
import type { TracingConfig } from './tracing-configuration.ts';

/** `parent`: whether the caller's span is sampled; undefined: there is none. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** Decides by the last seven bytes of the trace id, so that every process decides alike. https://www.w3.org/TR/trace-context-2/#random-trace-id-flag */
const RANDOM_BITS = 56n;
const byRatio = (ratio: number): Sampler => {
  const bound = BigInt(Math.round(ratio * 2 ** 32)) << (RANDOM_BITS - 32n);
  return (traceId) => BigInt(`0x${traceId.slice(-14)}`) < bound;
};

export function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig): Sampler {
  const root: Sampler = name.endsWith('always_off') ? () => false : name.endsWith('traceidratio') ? byRatio(ratio) : () => true;
  return name.startsWith('parentbased_') ? (traceId, parent) => parent ?? root(traceId, parent) : root;
}
