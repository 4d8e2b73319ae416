// The benchmarks of bench_cases.c under Google Benchmark: time per round, items per second.
#include "bench/bench.h"

#include <benchmark/benchmark.h>

static void measure(benchmark::State &state, const bench_case *c)
{
    void *self = c->open();
    if (self == nullptr) {
        state.SkipWithError("could not be prepared");
        return;
    }
    uint64_t items = 0;
    for (auto _ : state) items += c->run(self);
    c->close(self);
    state.SetItemsProcessed(static_cast<int64_t>(items));
    state.counters["ns/item"] =
        benchmark::Counter(static_cast<double>(items) * 1e-9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.SetLabel(c->item);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < bench_case_count; i++)
        benchmark::RegisterBenchmark(bench_cases[i]->name, measure, bench_cases[i])
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
