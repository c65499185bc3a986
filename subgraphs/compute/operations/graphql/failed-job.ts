import { declareFailedJobs } from '#platform/failed-jobs-graph.ts';
import { builder } from '../../builder.ts';

declareFailedJobs(builder, 'compute', { list: 'supportComputeFailedJobs', again: 'supportComputeJobAgain' });
