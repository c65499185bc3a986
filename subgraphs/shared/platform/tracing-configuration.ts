// The standard variables that tell a program where to send its traces. https://opentelemetry.io/docs/specs/otel/protocol/exporter/ and
// .../configuration/sdk-environment-variables/
import { z } from 'zod';
import { url } from './config-values.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    url('http', 'https').optional(),
    'an OpenTelemetry collector, http://HOST:4318: traces are told to it; default: none are made',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [url('http', 'https').optional(), 'the same as a whole address, /v1/traces with it'],
  OTEL_EXPORTER_OTLP_HEADERS: [z.string().optional(), 'headers for it: name=value,name=value'],
  OTEL_SERVICE_NAME: [z.string().min(1).optional(), 'what this process is called there; default: egress, or egress- and its part'],
  OTEL_TRACES_SAMPLER: [z.enum(SAMPLERS).default('parentbased_always_on'), 'which traces are told'],
  OTEL_TRACES_SAMPLER_ARG: [z.coerce.number().min(0).max(1).default(1), 'the share that a sampler with traceidratio tells: 0 to 1'],
} as const;

export type TracingConfig = { readonly [Name in keyof typeof TRACING_VARIABLES]: z.output<(typeof TRACING_VARIABLES)[Name][0]> };
