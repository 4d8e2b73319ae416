#include "algorithms/dependencies.h"

#define IS_PACKET 0x80000000u

int dependencies_open(dependencies *d, mem *m, uint32_t vertices, err *e)
{
    *d = (dependencies){ .m = m, .vertices = vertices };
    if (vertices > DEPENDENCIES_MAX)
        return err_set(e, ERR_LIMIT, "a block of %u vertices; expected at most %u",
                       vertices, DEPENDENCIES_MAX);
    d->head = mem_get_array(m, vertices, sizeof *d->head, e);
    if (d->head == NULL) return (int)e->code;
    return vec_push(m, &d->packet, (dependency_packet){ .next = 0 }, e);
}

void dependencies_close(dependencies *d)
{
    if (d->m == NULL) return;
    mem_put(d->m, d->head, (size_t)d->vertices * sizeof *d->head);
    vec_release(d->m, &d->packet);
    *d = (dependencies){ .m = NULL };
}

static int new_packet(dependencies *d, uint32_t *out, err *e)
{
    if (d->free != 0) {
        *out = d->free;
        d->free = d->packet.at[d->free].next;
        return 0;
    }
    if (d->packet.count >= IS_PACKET)
        return err_set(e, ERR_LIMIT, "more than 2^31 packets of dependencies");
    *out = (uint32_t)d->packet.count;
    return vec_push(d->m, &d->packet, (dependency_packet){ .next = 0 }, e);
}

int dependencies_add(dependencies *d, uint32_t vertex, uint32_t who, err *e)
{
    uint32_t head = d->head[vertex], number = 0;
    d->stored++;
    if (head == 0) {
        d->head[vertex] = who + 1;
        return 0;
    }
    if (head & IS_PACKET) {
        dependency_packet *p = &d->packet.at[head & ~IS_PACKET];
        for (int i = 1; i < DEPENDENCIES_PACKET; i++)
            if (p->who[i] == 0) {
                p->who[i] = who + 1;
                return 0;
            }
    }
    if (new_packet(d, &number, e) != 0) return (int)e->code;
    dependency_packet fresh = { .who = { who + 1 } };
    if (head & IS_PACKET) fresh.next = head & ~IS_PACKET;
    else fresh.who[1] = head;
    d->packet.at[number] = fresh;
    d->head[vertex] = number | IS_PACKET;
    return 0;
}

bool dependencies_take(dependencies *d, uint32_t vertex, uint32_t *who)
{
    uint32_t head = d->head[vertex];
    if (head == 0) return false;
    if (!(head & IS_PACKET)) {
        *who = head - 1;
        d->head[vertex] = 0;
        return true;
    }
    uint32_t number = head & ~IS_PACKET;
    dependency_packet *p = &d->packet.at[number];
    int last = DEPENDENCIES_PACKET - 1;
    while (p->who[last] == 0) last--;
    *who = p->who[last] - 1;
    p->who[last] = 0;
    if (last > 0) return true;
    d->head[vertex] = p->next ? p->next | IS_PACKET : 0;
    p->next = d->free;
    d->free = number;
    return true;
}
